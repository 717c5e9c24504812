// Exports for the program in bin/.

export { main, runProgram } from './cli/main';
