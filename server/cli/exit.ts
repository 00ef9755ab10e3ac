// Exit codes of the CLI (CL1), and the one error that carries a code to the end of the process.

export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  auth: 4,
  /** A person has the keyboard, or access to the session does not allow it. */
  lease: 5,
  humanRequired: 6,
  unreachable: 7,
  timedOut: 124,
  interrupted: 130,
} as const;

/** What a shell reports of a process that ended so: its code, or 128 and the signal's number. */
export function exitCodeOfEnd(end: { exit_code: number | null; signal: string | null }): number {
  if (end.exit_code !== null) return end.exit_code;
  return end.signal === null ? exitCodes.failed : 128 + (signalNumbers[end.signal] ?? 0);
}

const signalNumbers: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
};

/** A failure with a sentence for people and an exit code for scripts. */
export class CliError extends Error {
  override readonly name = "CliError";
  constructor(
    readonly exitCode: number,
    message: string,
    /** What to do about it, one imperative sentence. */
    readonly hint?: string,
  ) {
    super(message);
  }
}
