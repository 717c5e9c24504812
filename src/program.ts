// What bin/ runs.

export { main, runProgram } from './cli/main';
