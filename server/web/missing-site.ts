// The page shown when the dashboard has not been built: says so, and that the terminals and the API work.
export const missingSite = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Cotty: dashboard not built</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 15vh auto; padding: 0 1rem; color-scheme: light dark }
  code { font-family: ui-monospace, monospace }
</style>
<h1>The dashboard has not been built</h1>
<p>This server is running: the API, the sockets and the command line work. The pages are missing from this installation.</p>
<p>Run <code>npm run build</code> in the project folder and start the server again.</p>
</html>
`;
