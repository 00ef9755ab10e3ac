// The yardstick of the api bench: the least that a server on node:http can do. GET answers what was last PUT, POST answers its own body.
import { createServer } from "node:http";

let stored = Buffer.alloc(0);

const server = createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts);
    if (request.method === "PUT") stored = body;
    const answer = request.method === "GET" ? stored : body;
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": String(answer.length),
    });
    response.end(answer);
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
