// Typed bytes as the server makes them visible: each picture of a control character (U+2400 and on) as its short name, because hardly any
// font has those pictures.

const names =
  "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US SP DEL".split(
    " ",
  );
const picture = /([\u2400-\u2421])/;

export function TypedText({ text }: { text: string }) {
  // Every second part is a picture.
  return text.split(picture).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, which never changes.
        key={index}
        className="mx-px rounded-kbd bg-bg-3 px-1 font-sans text-[10px] font-semibold text-text-2"
      >
        {names[part.charCodeAt(0) - 0x2400]}
      </span>
    ),
  );
}
