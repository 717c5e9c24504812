import { App, Testing } from 'cdk8s';

/** One entry of the error that synthesis throws. */
export interface ReportedProblem {
  readonly path: string;
  readonly id: string;
  readonly text: string;
}

const ENTRY = /^ {2}\[([^\]]*)\] (\S+) (.*)$/;

/** Synthesizes the app and returns what it refuses; empty when it is accepted. */
export function problemsOf(app: App): ReportedProblem[] {
  try {
    app.synthYaml();
  } catch (error) {
    const lines = (error as Error).message.split('\n').slice(1);
    const entries = lines.map((line) => ENTRY.exec(line));
    if (lines.length === 0 || entries.some((entry) => entry === null)) throw error;
    return entries.map((entry) => ({ path: entry![1], id: entry![2], text: entry![3] }));
  }
  return [];
}

/** Builds a tree in a fresh app and returns what synthesis refuses. */
export function problemsIn(build: (app: App) => void): ReportedProblem[] {
  const app = Testing.app();
  build(app);
  return problemsOf(app);
}
