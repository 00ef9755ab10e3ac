// A native terminal module of a machine where no terminal can be had: it loads, and cannot spawn (PT1). For COTTY_PTY_MODULE.
exports.spawn = () => {
  throw new Error("openpty(3) failed: out of devices");
};
