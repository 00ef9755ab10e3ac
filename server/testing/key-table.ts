// The whole table of keys as it must be (IN2), for the test of the table and for the one that looks at what a program receives.

export const keyModifiers = ["", "S-", "M-", "M-S-", "C-", "C-S-", "C-M-", "C-M-S-"];

// Columns: unmodified, S-, M-, M-S-, C-, C-S-, C-M-, C-M-S-. Checked by hand against xterm's tables of PC-style function keys.
const table = `
Enter     ^M        -         ^[^M      -         -         -         -         -
Escape    ^[        -         ^[^[      -         -         -         -         -
Esc       ^[        -         ^[^[      -         -         -         -         -
Tab       ^I        ^[[Z      ^[^I      -         -         -         -         -
BTab      ^[[Z      ^[[Z      -         -         -         -         -         -
Space     SP        SP        ^[SP      ^[SP      ^@        -         ^[^@      -
Backspace ^?        -         ^[^?      -         ^H        -         ^[^H      -
BSpace    ^?        -         ^[^?      -         ^H        -         ^[^H      -
Up        ^[[A      ^[[1;2A   ^[[1;3A   ^[[1;4A   ^[[1;5A   ^[[1;6A   ^[[1;7A   ^[[1;8A
Down      ^[[B      ^[[1;2B   ^[[1;3B   ^[[1;4B   ^[[1;5B   ^[[1;6B   ^[[1;7B   ^[[1;8B
Left      ^[[D      ^[[1;2D   ^[[1;3D   ^[[1;4D   ^[[1;5D   ^[[1;6D   ^[[1;7D   ^[[1;8D
Right     ^[[C      ^[[1;2C   ^[[1;3C   ^[[1;4C   ^[[1;5C   ^[[1;6C   ^[[1;7C   ^[[1;8C
Home      ^[[H      ^[[1;2H   ^[[1;3H   ^[[1;4H   ^[[1;5H   ^[[1;6H   ^[[1;7H   ^[[1;8H
End       ^[[F      ^[[1;2F   ^[[1;3F   ^[[1;4F   ^[[1;5F   ^[[1;6F   ^[[1;7F   ^[[1;8F
Insert    ^[[2~     ^[[2;2~   ^[[2;3~   ^[[2;4~   ^[[2;5~   ^[[2;6~   ^[[2;7~   ^[[2;8~
IC        ^[[2~     ^[[2;2~   ^[[2;3~   ^[[2;4~   ^[[2;5~   ^[[2;6~   ^[[2;7~   ^[[2;8~
Delete    ^[[3~     ^[[3;2~   ^[[3;3~   ^[[3;4~   ^[[3;5~   ^[[3;6~   ^[[3;7~   ^[[3;8~
DC        ^[[3~     ^[[3;2~   ^[[3;3~   ^[[3;4~   ^[[3;5~   ^[[3;6~   ^[[3;7~   ^[[3;8~
PgUp      ^[[5~     ^[[5;2~   ^[[5;3~   ^[[5;4~   ^[[5;5~   ^[[5;6~   ^[[5;7~   ^[[5;8~
PPage     ^[[5~     ^[[5;2~   ^[[5;3~   ^[[5;4~   ^[[5;5~   ^[[5;6~   ^[[5;7~   ^[[5;8~
PageUp    ^[[5~     ^[[5;2~   ^[[5;3~   ^[[5;4~   ^[[5;5~   ^[[5;6~   ^[[5;7~   ^[[5;8~
PgDn      ^[[6~     ^[[6;2~   ^[[6;3~   ^[[6;4~   ^[[6;5~   ^[[6;6~   ^[[6;7~   ^[[6;8~
NPage     ^[[6~     ^[[6;2~   ^[[6;3~   ^[[6;4~   ^[[6;5~   ^[[6;6~   ^[[6;7~   ^[[6;8~
PageDown  ^[[6~     ^[[6;2~   ^[[6;3~   ^[[6;4~   ^[[6;5~   ^[[6;6~   ^[[6;7~   ^[[6;8~
F1        ^[OP      ^[[1;2P   ^[[1;3P   ^[[1;4P   ^[[1;5P   ^[[1;6P   ^[[1;7P   ^[[1;8P
F2        ^[OQ      ^[[1;2Q   ^[[1;3Q   ^[[1;4Q   ^[[1;5Q   ^[[1;6Q   ^[[1;7Q   ^[[1;8Q
F3        ^[OR      ^[[1;2R   ^[[1;3R   ^[[1;4R   ^[[1;5R   ^[[1;6R   ^[[1;7R   ^[[1;8R
F4        ^[OS      ^[[1;2S   ^[[1;3S   ^[[1;4S   ^[[1;5S   ^[[1;6S   ^[[1;7S   ^[[1;8S
F5        ^[[15~    ^[[15;2~  ^[[15;3~  ^[[15;4~  ^[[15;5~  ^[[15;6~  ^[[15;7~  ^[[15;8~
F6        ^[[17~    ^[[17;2~  ^[[17;3~  ^[[17;4~  ^[[17;5~  ^[[17;6~  ^[[17;7~  ^[[17;8~
F7        ^[[18~    ^[[18;2~  ^[[18;3~  ^[[18;4~  ^[[18;5~  ^[[18;6~  ^[[18;7~  ^[[18;8~
F8        ^[[19~    ^[[19;2~  ^[[19;3~  ^[[19;4~  ^[[19;5~  ^[[19;6~  ^[[19;7~  ^[[19;8~
F9        ^[[20~    ^[[20;2~  ^[[20;3~  ^[[20;4~  ^[[20;5~  ^[[20;6~  ^[[20;7~  ^[[20;8~
F10       ^[[21~    ^[[21;2~  ^[[21;3~  ^[[21;4~  ^[[21;5~  ^[[21;6~  ^[[21;7~  ^[[21;8~
F11       ^[[23~    ^[[23;2~  ^[[23;3~  ^[[23;4~  ^[[23;5~  ^[[23;6~  ^[[23;7~  ^[[23;8~
F12       ^[[24~    ^[[24;2~  ^[[24;3~  ^[[24;4~  ^[[24;5~  ^[[24;6~  ^[[24;7~  ^[[24;8~
`;

/** Name, then what it sends under each of `keyModifiers`: control bytes as ^X, DEL as ^?, a space as SP; "-" where there is no such key. */
export const keyTable: readonly (readonly [string, ...string[]])[] = table
  .trim()
  .split("\n")
  .map((row) => row.trim().split(/\s+/) as [string, ...string[]]);

/** Names that follow DECCKM, and what they send under it. */
export const applicationKeys: Readonly<Record<string, string>> = {
  Up: "^[OA",
  Down: "^[OB",
  Left: "^[OD",
  Right: "^[OC",
  Home: "^[OH",
  End: "^[OF",
};

/** The bytes that the notation of the table stands for. */
export function keyBytes(shown: string): Uint8Array {
  const text = shown
    .replace("SP", " ")
    .replaceAll("^?", "\x7f")
    .replaceAll(/\^([@-_])/g, (_, letter: string) =>
      String.fromCharCode(letter.charCodeAt(0) - 64),
    );
  return new Uint8Array(Buffer.from(text, "utf8"));
}
