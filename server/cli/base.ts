// What nearly every command needs: loaded with the command line. scripts/steps/build.mjs lets every part that is loaded later begin with it,
// so that it stays one file of the build.
import "./arguments.ts";
import "./examples.ts";
import "./options.ts";
import "./remote.ts";
import "./session-argument.ts";
import "./terminal-output.ts";
