/** Writes the text of the comment with a plan, which is the file that is named. */
import { readFileSync } from 'node:fs';

const { FOLDER, GITHUB_REPOSITORY, GITHUB_RUN_ID, GITHUB_SERVER_URL } = process.env;

/** GitHub refuses a longer comment: 65,536 characters. */
const LONGEST = 65_000;

/** Lists of objects, as the plan has them at the end of a section. */
const OBJECTS = /<details><summary>\d+ objects?<\/summary>\n\n[^]*?\n\n<\/details>\n*/;

const plan = readFileSync(process.argv[2], 'utf8');
// Encoded, the folder cannot end the HTML comment.
const head = `<!-- cdk8s-cluster-api plan: ${encodeURIComponent(FOLDER)} -->\n## What the merge does: \`${FOLDER.replaceAll('`', '')}\`\n\n`;
const run = `[the run](${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID})`;

/** The plan without what is least severe: lists of objects first, then sections, each from the end. The verdict stays. */
function shortened(room) {
  // The verdict, then sections from the most severe to the least.
  const [verdict, ...sections] = plan.split(/^(?=### )/m);
  let length = plan.length;
  let lists = 0;
  for (let at = sections.length - 1; at >= 0 && length > room; at--) {
    const short = sections[at].replace(OBJECTS, '');
    if (short === sections[at]) continue;
    length -= sections[at].length - short.length;
    sections[at] = short;
    lists++;
  }
  const all = sections.length;
  while (sections.length > 0 && length > room) length -= sections.pop().length;
  const cut = [
    ...lists > 0 ? [`the lists of objects of the last ${lists} of ${all} sections`] : [],
    ...sections.length < all ? [`the last ${all - sections.length} sections, the least severe ones`] : [],
  ];
  const note = `Left out: ${cut.join(', and ')}. The summary of ${run} has all of it.\n\n`;
  const text = verdict.length > room ? verdict.slice(0, verdict.lastIndexOf('\n', room) + 1) : verdict;
  return note + text + sections.join('');
}

const room = LONGEST - head.length - 500;
process.stdout.write(head + (plan.length > room + 500 ? shortened(room) : plan));
