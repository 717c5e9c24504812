/**
 * Emits warnings to Node.js, which prints them, and leaves out those whose code `--disable-warning` names.
 *
 * They are emitted at once: `process.emitWarning` waits for the next tick, and comes after an error that ends the program, or never.
 */
export const WARNINGS = {
  emit(text: string, { code }: { readonly code: string }): void {
    process.emit('warning', Object.assign(new Error(text), { name: 'Warning', code }));
  },
};
