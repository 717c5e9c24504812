const QUIET_MS = 1000;
const EVERY_MS = 100;

/** Output for progress. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Says on a terminal how far a long synthesis is; nothing where nobody looks, or where it is over within a second. */
export class Progress {
  private readonly started: number;
  private shown = 0;

  /**
   * @param terminal where to say it
   * @param now a clock, in milliseconds
   */
  public constructor(private readonly terminal: Terminal, private readonly now: () => number = () => process.uptime() * 1000) {
    this.started = now();
  }

  /** Seconds since the start. */
  public get seconds(): number {
    return (this.now() - this.started) / 1000;
  }

  /** Says what is done now. */
  public at(step: string, done?: number, total?: number): void {
    const now = this.now();
    if (!this.terminal.isTTY || now - this.started < QUIET_MS || now - this.shown < EVERY_MS) return;
    this.shown = now;
    this.terminal.write(`\r\u001b[K${step}${total === undefined ? '' : ` ${done}/${total}`}`);
  }

  /** Takes back what was said. */
  public clear(): void {
    if (this.shown > 0) this.terminal.write('\r\u001b[K');
    this.shown = 0;
  }
}
