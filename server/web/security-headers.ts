// Headers of every answer, errors included (SE6, T20-T22). There is no CORS header here and nowhere else.
import { bareCsp } from "./csp.ts";

export function securityHeaders(csp: string = bareCsp): Record<string, string> {
  return {
    "content-security-policy": csp,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "permissions-policy":
      "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), midi=()",
  };
}
