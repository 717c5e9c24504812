/** True in `npm run test:slow`. */
export const ALL = process.env.ALL_INPUTS === 'true';

/** A few inputs, spread evenly; all of them in `npm run test:slow`. */
export function sample<T>(inputs: readonly T[], count: number): T[] {
  return inputs.filter((_, index) => ALL || Math.floor(index * count / inputs.length) !== Math.floor((index - 1) * count / inputs.length));
}

/** The number of inputs or runs of a test: the first one in `npm run test:slow`. */
export function amount(all: number, few: number): number {
  return ALL ? all : few;
}
