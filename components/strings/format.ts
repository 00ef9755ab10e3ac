// How one language writes durations, ages and moments. No time is written anywhere else: a dictionary has one of these.

export interface TimeWords {
  readonly ms: string;
  readonly seconds: string;
  readonly minutes: string;
  /** Where seconds follow, or hours stand before. */
  readonly minutesBeside: string;
  readonly hours: string;
  readonly days: string;
  readonly now: string;
  readonly ago: (text: string) => string;
  /** Between names in a row. */
  readonly comma: string;
  /** BCP 47, for the calendar. */
  readonly locale: () => string;
}

export interface Format {
  /** At most two units, no seconds beyond the first minutes. */
  duration(ms: number): string;
  /** Of what is over: there a fraction of a second may matter. */
  exact(ms: number): string;
  /** Rounded to what changes slowly. */
  ago(ms: number): string;
  time(at: Date): string;
  date(at: Date): string;
  /** The time today, else the day with it. `now`: wall time in ms. */
  moment(at: Date, now: number): string;
  dateTime(at: Date): string;
  list(names: readonly string[]): string;
}

const clock = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;

export function formatIn(words: TimeWords): Format {
  const seconds = (n: number) => `${n} ${words.seconds}`;
  const minutes = (n: number) => `${n} ${words.minutes}`;
  const beside = (n: number) => `${n} ${words.minutesBeside}`;
  const hours = (n: number) => `${n} ${words.hours}`;
  const days = (n: number) => `${n} ${words.days}`;

  const format: Format = {
    duration(ms) {
      const s = Math.max(0, Math.floor(ms / 1000));
      if (s < 60) return seconds(s);
      const m = Math.floor(s / 60);
      if (m < 60) return s % 60 && m < 10 ? `${beside(m)} ${seconds(s % 60)}` : minutes(m);
      const h = Math.floor(m / 60);
      if (h < 24) return m % 60 ? `${hours(h)} ${beside(m % 60)}` : hours(h);
      const d = Math.floor(h / 24);
      return h % 24 ? `${days(d)} ${hours(h % 24)}` : days(d);
    },
    exact(ms) {
      if (ms < 1_000) return `${ms} ${words.ms}`;
      return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} ${words.seconds}` : format.duration(ms);
    },
    ago(ms) {
      if (ms < 60_000) return words.now;
      const m = Math.floor(ms / 60_000);
      if (m < 60) return words.ago(minutes(m));
      const h = Math.floor(m / 60);
      return words.ago(h < 48 ? hours(h) : days(Math.floor(h / 24)));
    },
    time: (at) => at.toLocaleTimeString(words.locale(), clock),
    date: (at) => at.toLocaleDateString(words.locale()),
    moment(at, now) {
      if (at.toDateString() === new Date(now).toDateString()) return format.time(at);
      const { second: _, ...short } = clock;
      return at.toLocaleString(words.locale(), { month: "short", day: "numeric", ...short });
    },
    dateTime: (at) =>
      at.toLocaleString(words.locale(), {
        year: "numeric",
        month: "short",
        day: "numeric",
        ...clock,
      }),
    list: (names) => names.join(words.comma),
  };
  return format;
}

/** The first of the person's own languages that is a kind of `language`: an English page writes British dates for the British. */
export function localeOf(language: string, otherwise: string): string {
  const own = (globalThis.navigator?.languages ?? []).find(
    (one) => one.split("-")[0]?.toLowerCase() === language,
  );
  return own ?? otherwise;
}
