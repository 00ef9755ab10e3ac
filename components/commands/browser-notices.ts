// The browser's own notifications. Asked for only when there was something to tell; shown through the service worker, because on phones
// there is no other way; the worker does nothing else (public/notices.js).
const worker = "/notices.js";

export type NoticePermission = "granted" | "denied" | "default" | "unsupported";

export function noticePermission(): NoticePermission {
  return typeof Notification === "undefined" ? "unsupported" : Notification.permission;
}

/** From a press of the person. */
export async function askPermission(): Promise<NoticePermission> {
  if (noticePermission() === "unsupported") return "unsupported";
  const permission = await Notification.requestPermission();
  if (permission === "granted") await registration();
  return permission;
}

/** One per session: a newer one replaces it. */
export async function showNotice(notice: {
  session: string;
  title: string;
  body: string;
}): Promise<void> {
  if (noticePermission() !== "granted") return;
  const { session, title, body } = notice;
  const ready = await registration();
  await ready?.showNotification(title, { body, tag: session, data: { session } });
}

/** The person pressed a notification; this page was brought to the front. */
export function onNoticePressed(open: (session: string) => void): () => void {
  const container = navigator.serviceWorker;
  if (!container) return () => {};
  const listener = ({ data }: MessageEvent) => {
    if (typeof data?.session === "string") open(data.session);
  };
  container.addEventListener("message", listener);
  return () => container.removeEventListener("message", listener);
}

async function registration(): Promise<ServiceWorkerRegistration | null> {
  try {
    await navigator.serviceWorker.register(worker);
    return await navigator.serviceWorker.ready;
  } catch {
    // No secure context, or workers are off: the notice on the page is all there is.
    return null;
  }
}
