/**
 * Writes the plan as a comment of the pull request. A comment that an earlier run wrote is edited. Without one, a plan without changes is not
 * worth a comment.
 */
import { readFileSync } from 'node:fs';

const { CHANGES, COMMENT, GITHUB_GRAPHQL_URL, GITHUB_REPOSITORY, NUMBER, TOKEN } = process.env;

const TEXT = readFileSync(COMMENT, 'utf8');

// The first line tells the plans of several folders in one pull request apart.
const [MARK] = TEXT.split('\n', 1);

const COMMENTS = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      id
      comments(first: 100, after: $after) { nodes { id body viewerDidAuthor } pageInfo { hasNextPage endCursor } }
    }
  }
}`;
const ADD = 'mutation ($subject: ID!, $body: String!) { addComment(input: { subjectId: $subject, body: $body }) { clientMutationId } }';
const UPDATE = 'mutation ($id: ID!, $body: String!) { updateIssueComment(input: { id: $id, body: $body }) { clientMutationId } }';

/** A comment that cannot be written now, or not by this token. The summary of the run has the plan, too. */
class NoComment extends Error {}

/** Asks GitHub's GraphQL API, which alone tells whose comment it is whatever the token. */
async function ask(query, variables) {
  const request = {
    method: 'POST',
    headers: { 'authorization': `Bearer ${TOKEN}`, 'content-type': 'application/json', 'user-agent': 'cdk8s-cluster-api' },
    body: JSON.stringify({ query, variables }),
  };
  const response = await fetch(GITHUB_GRAPHQL_URL, request).catch(({ cause, message }) => { throw new NoComment(`GitHub cannot be reached: ${cause?.message || message}.`); });
  const text = await response.text();
  const answer = `GitHub answers ${response.status}: ${text.slice(0, 500)}`;
  if (response.status >= 500 || response.status === 429) throw new NoComment(answer);
  if (!response.ok) throw new Error(answer);
  const { data, errors = [] } = JSON.parse(text);
  // Pull requests from forks get a token that only reads.
  if (errors.some(({ type }) => type === 'FORBIDDEN')) throw new NoComment(`${errors[0].message}. A comment needs the permission pull-requests "write".`);
  if (errors.length > 0) throw new Error(`GitHub answers: ${errors[0].message}`);
  return data;
}

/** The pull request, and the comment that an earlier run wrote. */
async function look() {
  const [owner, name] = GITHUB_REPOSITORY.split('/');
  let after = null;
  for (;;) {
    const { repository: { pullRequest: { id, comments } } } = await ask(COMMENTS, { owner, name, number: Number(NUMBER), after });
    // Anybody can write the mark.
    const former = comments.nodes.find(({ body, viewerDidAuthor }) => viewerDidAuthor && body.startsWith(MARK));
    if (former !== undefined || !comments.pageInfo.hasNextPage) return { id, former };
    after = comments.pageInfo.endCursor;
  }
}

try {
  const { id, former } = await look();
  if (former !== undefined) await ask(UPDATE, { id: former.id, body: TEXT });
  else if (CHANGES === 'true') await ask(ADD, { subject: id, body: TEXT });
} catch (error) {
  const line = error.message.replaceAll(/\s+/g, ' ');
  if (error instanceof NoComment) {
    console.log(`::warning::The plan is in the summary of the run only: ${line}`);
  } else {
    console.log(`::error::The plan cannot be written as a comment: ${line}`);
    process.exitCode = 1;
  }
}
