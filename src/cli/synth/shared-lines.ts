/** The number of a process, which Node.js begins warnings with. */
const PROCESS = /^\(node:\d+\)/;

/** What several workers print, as one text: each line with its worker, and once if several have it. */
export class SharedLines {
  private readonly first = new Map<string, string>();

  /**
   * @param say where to print it
   */
  public constructor(private readonly say: (text: string) => void) {}

  /** Prints a line of a worker, unless another one has it already. */
  public add(worker: string, line: string): void {
    const text = line.replace(PROCESS, '(node)');
    const first = this.first.get(text) ?? worker;
    this.first.set(text, first);
    if (first === worker) this.say(`[${worker}] ${text}\n`);
  }
}
