// Every bound of the system with its unit and reason (docs/spec.md, LM). Code never writes such a number itself.

const KiB = 1024;
const MiB = 1024 * KiB;

export const limits = {
  sessions: { default: 32, min: 1, max: 1_000 },
  /** Largest grid a session may have. 16-bit `winsize` wraps far above; emulators shred text far below the minimum. */
  cols: { min: 2, max: 1_000 },
  rows: { min: 1, max: 500 },
  /** Cells kept per session (cols x lines): caps the emulator's memory at about 25 MB whatever the shape. */
  screenCells: 1_500_000,
  scrollbackLines: { default: 5_000, min: 0, max: 50_000 },
  /** Output kept per session for viewers that fall behind or come back. */
  ringBytes: 8 * MiB,
  /** Unparsed output at which the PTY is paused, and at which it goes on. Both far below the ring: a lagging screen never loses bytes. */
  screenLagHighBytes: 2 * MiB,
  screenLagLowBytes: 512 * KiB,
  /** Bytes handed to the emulator at a time: its own queue looks at the clock only between writes (worst stall measured: 57 ms). */
  screenSliceBytes: 1 * KiB,
  /** Parse time per session and event-loop turn, so that a flood in one session leaves turns to the others (SC7). */
  screenTurnMs: 6,
  inputBacklogBytes: 1 * MiB,
  /** Replies of the terminal itself (DA, CPR ...) waiting to be written; more is dropped and counted (T81). */
  replyBacklogBytes: 64 * KiB,
  /** HTTP body and WebSocket frame, inward. */
  bodyBytes: 1 * MiB,
  frameBytes: 1 * MiB,
  headerBytes: 16 * KiB,
  urlBytes: 4 * KiB,
  inputItems: 1_000,
  /** Between text and the Enter behind it, so that agent programs do not take both for a paste (IN4). */
  inputGapMs: { default: 30, max: 1_000 },
  /** All gaps of one batch together: nobody else's bytes come in between, so nobody may be kept waiting longer. */
  inputGapsMs: 5_000,
  /** What Linux keeps of a line in canonical mode; it drops the rest without a word (IN7). */
  canonicalLineBytes: 4_095,
  /** Questions about terminals' settings that may wait at a time, and for how long one does. One takes about 8 ms. */
  ttyQuestions: 64,
  ttyQuestionMs: 1_000,
  /** Requests per actor at the host: a program in a loop must not take the host from the others. At once, and per second after that. */
  requestBurst: 1_000,
  requestsPerSecond: 500,
  /** Actors whose request budgets are kept; of more, those idle longest start afresh. */
  requestActors: 10_000,
  /** Idempotency keys (IN6): how long one answers, how many of an actor and in all, and the replies kept for them. The oldest go first. */
  idempotencyMs: 24 * 3_600_000,
  idempotencyKeyChars: 255,
  idempotencyKeysPerActor: 4_096,
  idempotencyKeys: 16_384,
  idempotencyReplyBytes: 16 * MiB,
  /** Elements of one JSON array or object, and nesting, of what clients send: both above every schema's need (T57). */
  jsonItems: 1_000,
  jsonDepth: 8,
  /** Nesting of an MCP message, whose envelope holds the client's capabilities; and messages in a list (oldest revision only). */
  mcpDepth: 16,
  mcpBatch: 20,
  /** Unacknowledged output per viewer (AT4). */
  viewerWindowBytes: 256 * KiB,
  /** A viewer that acknowledges nothing this long while bytes are due is closed with 4408 (AT4). */
  viewerSilenceMs: 30_000,
  viewersPerSession: 256,
  socketsPerPrincipal: 64,
  socketsTotal: 2_000,
  pingEveryMs: 20_000,
  /** A peer from which nothing came for this long is closed (AT9). */
  peerSilenceMs: 45_000,
  /** Control frames per second and socket; the excess waits, persistent excess closes 4429 (T56). */
  controlFramesPerSecond: 50,
  /** Typing and reports per second and socket: ten times a held key, four times a fast mouse (T56). */
  framesPerSecond: 500,
  /** Bytes per second inward and socket; a bigger paste is read more slowly, never refused (T56). */
  inwardBytesPerSecond: 1 * MiB,
  /** A socket over its frame budget for this long without a break is closed with 4429. */
  overBudgetMs: 10_000,
  /** Pieces of one WebSocket message, unparsed chunks and unsent automatic pongs per socket (T51). */
  messageFragments: 64,
  bufferedChunks: 1_024,
  pendingPongs: 16,
  /** Time for the closing handshake of a WebSocket before it is cut. */
  closeHandshakeMs: 5_000,
  resizesPerSecond: 20,
  resizeDebounceMs: 100,
  titleChars: 256,
  /** Events kept for those who come back (EV1), and their bytes: a session's command alone may have 64 KiB. */
  events: 10_000,
  eventRingBytes: 16 * MiB,
  eventIdChars: 64,
  /** Titles and bells per session: a spinner in a title must not push the exits of others out of the ring. */
  eventPaceMs: 1_000,
  /** Comments on a silent event stream (EV1); clients give up on a stream after two and a half of them. */
  eventCommentMs: 15_000,
  eventSilenceMs: 40_000,
  /** What a client is told to wait before it comes back, and at most given at a time. */
  eventRetryMs: 1_000,
  eventChunkChars: 16 * KiB,
  /** Longest line and data of one event that a client takes: above the longest created session. */
  eventChars: 1 * MiB,
  /** Event streams of one credential, and of the host: the many pages of a person, the many waits of a program. */
  streamsPerPrincipal: 32,
  streamsTotal: 1_024,
  /** The capsule (CP1): about 20 KiB at most. */
  capsuleSessions: 100,
  capsuleFieldChars: 60,
  nameChars: 100,
  tags: 16,
  tagChars: 50,
  commandArgs: 256,
  commandBytes: 64 * KiB,
  envEntries: 256,
  envBytes: 64 * KiB,
  /** OSC, DCS, APC, PM and SOS strings; longer ones are dropped to their end or for this long (SC8). */
  controlStringBytes: 64 * KiB,
  controlStringMs: 5_000,
  /** Other escape sequences: parameters beyond the 32nd are ignored by emulators, so a longer one says nothing (SC8). */
  controlSequenceBytes: 4 * KiB,
  /** Largest parameter of a control sequence that is no count of rows, columns or cells (SC8). */
  controlParameter: 9_999,
  /**
   * Code points that join a cell: `free` ones always (hardly any writing stacks more; 400,000 cells with 8 each were measured at 21 MB),
   * up to `max` from a ration (16 each in all cells: 133 MB). The longest emoji sequences have 10.
   */
  marksPerCell: { free: 4, max: 16, ration: 20_000, rationPerSecond: 2_000 },
  /**
   * Extra work that counts may cause, in cells written (about 0.3 us each): counts within the screen can still multiply a flood by a
   * thousand. REP up to a row is free, and so is one line inserted, deleted or scrolled. At once: so many screens, or cells on a small one.
   */
  countWork: { screens: 8, cells: 100_000, cellsPerSecond: 500_000 },
  /**
   * OSC 8 links (T84) are rationed, and so is what their addresses take in sum: 5,000 of the longest would be 10 MB. In characters, at
   * once and per second after that.
   */
  links: 5_000,
  linksPerSecond: 20,
  linkUriChars: 2_083,
  linkChars: { atOnce: 1 * MiB, perSecond: 4 * KiB },
  /** Links of a terminal at which it is looked for the first time which of them it still shows. */
  linksBeforeSweep: 1_024,
  /** Colours set or asked for by one OSC 4: there are no more, and xterm's time for it is quadratic (10,000: 160 ms). */
  coloursPerString: 256,
  /** An OSC 8 link still open after this much output is closed: every cell printed in it costs a search. */
  linkTextBytes: 4 * KiB,
  /** Findings in one reply about the text in it: enough to say that a screen is not to be trusted (T88). */
  hygieneFindings: 20,
  /** Characters of a screen with its colours: 200 x 50 cells of a colour each have 750,000 as HTML. Further rows come without colours. */
  styledScreenChars: 1 * MiB,
  /** Versions of a session's screen that a difference can be told from, and rows of all of them (SC5): 16 bytes each. */
  screenVersions: { count: 64, rows: 8_192 },
  /** Pastes above this ask first (T87). */
  pasteWarnBytes: 5 * KiB,
  /** Lines of a paste shown when asking. */
  pastePreviewLines: 10,
  /** How often the host looks whether its socket is still there; twice missing, it ends (HO6). */
  socketCheckMs: 5_000,
  /** Time from signal to SIGKILL when a session is closed (PT11). */
  killGraceMs: 3_000,
  loginCodeMs: 120_000,
  /** How long after signing in a page may make tokens (T6D): what it makes outlives it. */
  freshLoginMs: 5 * 60_000,
  ticketMs: 30_000,
  loginIdleMs: 12 * 3_600_000,
  loginAbsoluteMs: 7 * 24 * 3_600_000,

  // Doors (SECURITY.md T37-T38, T54-T55, T130-T132).
  /** TCP connections of web in all, and those that have shown no credential yet; above it a random silent one is dropped. */
  connections: 4_096,
  unauthenticatedSockets: 64,
  headersMs: 10_000,
  requestMs: 30_000,
  connectionCheckMs: 2_000,
  /** A kept connection is idle this long before it is closed. Clients close theirs a second earlier: no request may meet the closing. */
  keepAliveMs: 65_000,
  /** A TLS handshake that takes longer is cut. */
  handshakeMs: 5_000,
  /** A reply of which the client reads nothing this long is cut. */
  stalledReplyMs: 60_000,
  /** Failed credentials per source: this many at once, then one per refill; and over all sources per minute. */
  failuresPerSource: 10,
  failureRefillMs: 6_000,
  failuresPerMinute: 200,
  limiterSources: 10_000,
  /** Tokens that there may be when the dashboard makes another, and how long one may live. */
  tokens: 256,
  tokenMs: { min: 60_000, max: 366 * 24 * 3_600_000 },
  /** Secrets of a session or of the config file (SX1): how many, bytes of each, and how long a command may take to print one. */
  secrets: 32,
  secretBytes: 32 * KiB,
  secretCommandMs: 10_000,
  secretCommandWords: 64,
  /** Shorter values are not hidden: they are met by chance. */
  secretMinChars: 6,
  /** As much of a value is one that is being printed: fewer characters are met by chance. */
  secretBegunChars: 4,
  /** Lines of all values of a session: a key has some fifty. */
  secretPieces: 512,
  /** Values typed at password prompts that are hidden as long as the session lives, the newest, and how long one may be (CR3). */
  typedSecrets: 64,
  typedSecretChars: 1_024,
  /** Lines typed so shortly before a password prompt is noticed may have been meant for it: how many, how long before. */
  typedAhead: { lines: 8, ms: 2_000 },
  /**
   * What may begin such a value waits so long for its end before it goes to an agent's viewer, and is this much at most with the sequences
   * in it; and how far before a viewer's place it is looked for one that has begun.
   */
  coveredHold: { ms: 100, bytes: 16 * KiB, back: 8 * KiB },
  /** Launch profiles in the config file, and the file itself. */
  profiles: 100,
  configBytes: 256 * KiB,
  /** How long what was found on PATH is believed: a search costs a few hundred looks at the disk. */
  programLookMs: 2_000,
  /** Sessions a token may be limited to: the list travels in a header between web and host. */
  sessionsPerToken: 64,
  ticketsPerPrincipal: 256,
  ticketsTotal: 10_000,
  /** How often web looks whether credentials in use still exist; half of what SE4 allows. */
  revocationCheckMs: 500,
  /** What web has to say goodbye (HO3 allows 5 s). */
  webCloseMs: 3_000,
  /** Records of a session's journal (JR3), a command line kept in one, and the markers' own payloads (JR1). */
  journalRecords: 256,
  journalCommandBytes: 4 * KiB,
  /** Records listed unless asked otherwise. */
  journalListed: 20,
  markerBytes: 512,
  commandMarkerBytes: 8 * KiB,
  /** One reply of output text (JR5): default, least and most. Overshoots by at most one row, which is never split. */
  outputBytes: { default: 64 * KiB, min: 4 * KiB, max: 8 * MiB },
  /** The default for tools of models: some clients refuse a reply of over 25,000 tokens, and no model wants as much unasked. */
  toolOutputBytes: 16 * KiB,
  /** Waits (WT1, WT6): time in ms, pending per actor, conditions, texts and patterns of one. */
  waitMs: { default: 30_000, max: 24 * 3_600_000 },
  waitsPerActor: 4_096,
  waitConditions: 16,
  waitTextChars: 4_096,
  waitRegexChars: 512,
  waitRegexMs: 50,
  /** By the clock, where the thread had little of the processors. */
  waitRegexPatienceMs: 10_000,
  /** Silence after which a wait without conditions ends where nothing tells whether the program still works. */
  waitSettleMs: 10_000,
  /** After a command's end, for its shell to show its prompt again, which may ask git and others first; and for one that does not tell when it reads. */
  waitPromptMs: 2_000,
  waitUnmarkedPromptMs: 200,
  /** Lines above the screen that a pattern may begin in, characters that it is tried on in one go, and those that wait for that while output is fast. */
  waitOverlapLines: 20,
  waitScanChars: 256 * KiB,
  waitUntriedChars: 4 * MiB,
  /** Lines above the screen in which the echo of what was typed is still looked for. */
  waitEchoLines: 500,
  /** Longest time for which a timer is set: Node's overflow at 24.8 days, and clocks are corrected. */
  waitTimerMs: 3_600_000,
  waitSessions: 1_000,
  waitGenerationChars: 32 * KiB,
  /** Looks at who reads a session's terminal (PH2): about 0.15 ms each; at once, and per second after that. */
  looksAtOnce: 20,
  looksPerSecond: 5,
  /** An agent's caption and its reason for calling a person (OP7, OP5). */
  noteChars: 200,
  needChars: 140,
  /** The keyboard (LS5, LS6): silence after which it goes back, its bounds, and after the last socket of its holder is gone. */
  leaseIdleMs: { default: 4_000, min: 1_000, max: 600_000 },
  leaseGoneMs: 2_000,
  /** A second key of another person within this time takes the keyboard (LS9). */
  leaseInsistMs: 2_000,
  /** People whose first keys are remembered at a time (LS9). */
  leaseKnocks: 16,
  /** How long input waits for the first prompt of a shell (IN8); with the bound below it stays under the 5 s after which common HTTP clients give up. */
  firstPromptMs: 3_000,
  /** How long an agent's write waits to be begun before it is answered as queued: the program does not read (LS7). */
  inputAnswerMs: 1_000,
  /** How long after its last write an agent counts as typing, in lists. */
  agentTypingMs: 3_000,
  /** After this long a draft no longer stops the countdown (DR2). */
  draftMs: 60_000,
  /** The audit (AU1): a file before the next begins, files kept, what is kept of typed text, entries per reply, acts that may wait for the disk. */
  auditFileBytes: 8 * MiB,
  auditFiles: 64,
  auditSummaryChars: 2_000,
  auditPage: 500,
  auditQueue: 10_000,
  /** How often a disk that refused is tried again. */
  auditRetryMs: 5_000,
  /** An answer waits for the line of its act so long, and no longer for a disk that does not answer. */
  auditPatienceMs: 1_000,
  /** Refusals that repeat (wrong tokens, looks at a sealed session) are told once and then counted for so long; kinds told apart. */
  auditRepeatMs: 60_000,
  auditRepeats: 1_000,
  /** Acts of web and the CLI that wait in files for the next host, and acts in web that wait to be sent. */
  auditSpool: 1_000,
  /** What a person types within so long is one entry (AU1). */
  typingEntryMs: 1_000,
  /** Attribution per session: writes kept, their text in all, and how many are listed unless asked otherwise. */
  writes: { kept: 500, chars: 256 * KiB, listed: 100 },
  /** Lines told to viewers as somebody's, of one period of 100 ms. */
  writtenFrames: 16,
  /** Lines told as somebody's with a snapshot, the newest: about 20 KiB, and several screens. */
  writtenLines: 200,
  /** The text that an agent last received, kept for people. */
  agentViewChars: 64 * KiB,
  /** What an agent is told of the time a person had the keyboard: commands, characters of one, times kept, agents remembered. */
  handover: { commands: 10, commandChars: 200, kept: 16, readers: 256 },
  /** The line service (TC1, TC2): one line, time for the first one, silence after which a line that looks like a prompt is taken for one, lines that wait. */
  lineBytes: 1 * MiB,
  lineAuthMs: 5_000,
  promptQuietMs: 200,
  /** The exported dashboard is held in memory. */
  siteBytes: 64 * MiB,
} as const;
