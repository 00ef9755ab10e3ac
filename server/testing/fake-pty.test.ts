import { FakePtyFactory } from "./fake-pty.ts";
import { burstBytes, ptyContract } from "./pty.contract.ts";

const spec = {
  file: "/bin/fake",
  args: [],
  cwd: "/",
  env: {},
  size: { cols: 80, rows: 24 },
  term: "xterm-256color",
  command: ["/bin/sh"],
  integration: { kind: "none" as const },
};

ptyContract("the fake", async (program) => {
  const pty = await new FakePtyFactory().spawn(spec);
  switch (program) {
    case "echo":
      pty.onInput = (bytes) => pty.print(bytes);
      pty.print("READY");
      break;
    case "stuck":
      pty.print("READY");
      pty.stick();
      break;
    case "burst":
      pty.print("x".repeat(burstBytes));
      pty.exit({ exit_code: 3 });
      break;
    case "flood": {
      const timer = setInterval(() => (pty.isDisposed ? clearInterval(timer) : pty.print("y")), 1);
      break;
    }
  }
  return pty;
});
