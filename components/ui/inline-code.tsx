// A sentence of the dictionary in which `text between backticks` is code.
import { Fragment } from "react";

export function InlineCode({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence have no identity but their place.
      <code key={index} className="rounded-kbd bg-bg-2 px-1 py-px text-[0.92em] text-text-1">
        {part}
      </code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above.
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
