// The title of a page that has one of its own, in the language of the page. The exported title is English, and React may write that one
// again when it takes over the head, at a time of its own choosing: so the title is looked after for as long as the page is there.
import { useEffect } from "react";

export function usePageTitle(title: string): void {
  useEffect(() => {
    const write = () => {
      if (document.title !== title) document.title = title;
    };
    write();
    const watch = new MutationObserver(write);
    watch.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => watch.disconnect();
  }, [title]);
}
