import { MemorySink } from "./memory-sink.ts";
import { describeSink } from "./sink.contract.ts";

describeSink("MemorySink", async () => {
  const sink = new MemorySink();
  return {
    sink,
    async received(count) {
      await sink.until(() => sink.frames.length >= count);
      return sink.frames;
    },
  };
});
