// Writing to the system clipboard. Pages served without TLS from another machine have no Clipboard API; the old command works there.

/** False when the browser refused. Call from a person's action where possible. */
export async function writeClipboard(document: Document, text: string): Promise<boolean> {
  const clipboard = document.defaultView?.navigator.clipboard;
  if (clipboard) {
    try {
      await clipboard.writeText(text);
      return true;
    } catch {
      // Denied or the page has no focus: the command below may still be allowed.
    }
  }
  return copyByCommand(document, text);
}

function copyByCommand(document: Document, text: string): boolean {
  const supply = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData("text/plain", text);
  };
  document.addEventListener("copy", supply, true);
  try {
    return document.execCommand("copy");
  } finally {
    document.removeEventListener("copy", supply, true);
  }
}
