import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Styles of severities and of what stands for them. */
const SEVERITIES: { readonly [severity: string]: Style } = { error: 'red', trap: 'magenta', warning: 'yellow' };

/** Writes text in color, or leaves it as it is. */
export class Paint {
  /** @param colors whether there are colors */
  public constructor(private readonly colors: boolean | undefined) {}

  public bold(text: string): string {
    return this.in('bold', text);
  }

  public red(text: string): string {
    return this.in('red', text);
  }

  public green(text: string): string {
    return this.in('green', text);
  }

  /** A text in the color of a severity: red for an error, magenta for a trap, yellow for a warning. */
  public severity(severity: string, text = severity): string {
    return this.in(SEVERITIES[severity], text);
  }

  private in(style: Style, text: string): string {
    // The surroundings have decided; styleText would look at the environment once more from Node.js 22.13 on.
    return this.colors ? styleText(style, text, { validateStream: false } as object) : text;
  }
}
