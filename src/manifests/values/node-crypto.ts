/** Returns Node.js' cryptography, loaded when it is first used: few commands need it, and loading it is a twentieth of their work. */
export function nodeCrypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}
