import type * as CelJs from '@marcbachmann/cel-js' with { 'resolution-mode': 'import' };

let library: typeof CelJs | undefined;

/** The library that reads expressions in CEL. It is loaded at first use, since most manifests have none. */
export function celLibrary(): typeof CelJs {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  library ??= require('@marcbachmann/cel-js') as typeof CelJs;
  return library;
}
