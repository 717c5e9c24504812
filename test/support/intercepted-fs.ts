/** The module itself: an import has getters for its functions. */
const fs = jest.requireActual<typeof import('node:fs')>('node:fs');

const CALLS = ['accessSync', 'lstatSync', 'mkdirSync', 'readFileSync', 'readdirSync', 'renameSync', 'rmSync', 'rmdirSync', 'writeFileSync'] as const;

/** A call of the file system. */
export type Call = typeof CALLS[number];

/** Runs something while each call of the file system is looked at first, which may throw. */
export function withIntercepted<T>(intercept: (call: Call, path: string) => void, run: () => T): T {
  const spies = CALLS.map((call) => {
    const original = fs[call] as (...args: unknown[]) => unknown;
    return jest.spyOn(fs, call).mockImplementation((...args: unknown[]) => {
      intercept(call, String(args[0]));
      return original(...args) as never;
    });
  });
  try {
    return run();
  } finally {
    spies.forEach((spy) => spy.mockRestore());
  }
}

/** An error of the file system. */
export function fileSystemError(code: string): Error {
  return Object.assign(new Error(`${code}: refused`), { code, syscall: 'open' });
}
