/** Writes the text of the comment with a plan, which is the file that is named. */
import { readFileSync } from 'node:fs';

const { FOLDER, GITHUB_REPOSITORY, GITHUB_RUN_ID, GITHUB_SERVER_URL } = process.env;

/** GitHub refuses a longer comment: 65,536 characters. */
const LONGEST = 65_000;

const plan = readFileSync(process.argv[2], 'utf8');
// Encoded, the folder cannot end the HTML comment.
const head = `<!-- cdk8s-cluster-api plan: ${encodeURIComponent(FOLDER)} -->\n## What the merge does: \`${FOLDER.replaceAll('`', '')}\`\n\n`;
const note = `This plan is cut. The summary of [the run](${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}) has all of it.\n\n`;
const room = LONGEST - head.length - note.length;
const isCut = head.length + plan.length > LONGEST;
process.stdout.write(isCut ? head + note + plan.slice(0, plan.lastIndexOf('\n', room) + 1) : head + plan);
