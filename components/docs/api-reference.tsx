"use client";
// The reference of the HTTP API, drawn from /openapi.json by Swagger UI, which comes only with this page. It calls nothing: calls from a
// page would need this browser's login, and the reference is for people who write agents.
import { useEffect, useRef, useState } from "react";
import "swagger-ui-dist/swagger-ui.css";
import { usePageTitle } from "#components/dashboard/use-page-title.ts";
import { useStrings } from "#components/strings/strings.ts";

type Mount = (options: Record<string, unknown>) => unknown;

export function ApiReference() {
  const strings = useStrings();
  const place = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  usePageTitle(strings.docs.referenceTitle);
  useEffect(() => {
    let isGone = false;
    import("swagger-ui-dist/swagger-ui-es-bundle.js")
      .then((module) => {
        const mount = (module as unknown as { default: Mount }).default;
        if (isGone || !place.current) return;
        mount({
          domNode: place.current,
          url: "/openapi.json",
          deepLinking: true,
          supportedSubmitMethods: [],
          defaultModelsExpandDepth: -1,
          validatorUrl: null,
        });
      })
      .catch(() => setFailed(true));
    return () => {
      isGone = true;
    };
  }, []);
  return (
    <main className="api-reference">
      {failed ? <p role="alert">{strings.docs.referenceFailed}</p> : null}
      {/* The document is in English. */}
      <div ref={place} lang="en" />
    </main>
  );
}
