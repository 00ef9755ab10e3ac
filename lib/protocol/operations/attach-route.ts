// Where one attaches to a session. The one upgrade of the API; it has a row of its own because it is no request.

export const attachRoute = { path: "/sessions/{id}/attach", action: "screen.read" } as const;
