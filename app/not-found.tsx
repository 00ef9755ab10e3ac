// Every address that is no page. Drawn on the server but for its words: it is part of what every page loads.
import { NothingHere } from "#components/dashboard/nothing-here.tsx";
import { NoticePage } from "#components/dashboard/notice-page.tsx";
import { buttonClass } from "#components/ui/button.tsx";

export default function NotFound() {
  return (
    <NoticePage title={<NothingHere part="title" />} text={<NothingHere part="text" />}>
      <a href="/" className={buttonClass("primary", "large", "self-start")}>
        <NothingHere part="home" />
      </a>
    </NoticePage>
  );
}
