// What bin/ runs. Modules load when they are used (see scripts/bundle/), so keep to plain re-exports.

export { main, runProgram } from './cli/main';
