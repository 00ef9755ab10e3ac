// Shows nothing and keeps nothing: only brings the page forward when a notification is pressed. It answers no requests, so that no page is
// ever older than its server.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { session } = event.notification.data ?? {};
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then((pages) => {
      const page = pages.find(({ url }) => new URL(url).pathname === "/") ?? pages[0];
      if (!page) return self.clients.openWindow(`/?s=${session}`);
      page.postMessage({ session });
      return page.focus();
    }),
  );
});
