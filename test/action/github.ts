import * as http from 'node:http';
import { AddressInfo } from 'node:net';

/** A comment of the pull request. */
export interface Comment {
  readonly id: string;
  readonly viewerDidAuthor: boolean;
  body: string;
}

interface Question {
  readonly query: string;
  readonly variables: { readonly id: string; readonly body: string; readonly after: string | null };
}

/** As much of GitHub's GraphQL API as the comments of one pull request need. */
export class GitHub {
  public readonly comments: Comment[] = [];

  /** Whether the token may write. */
  public mayWrite = true;

  /** Whether GitHub has an outage. */
  public isDown = false;

  private readonly server = http.createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => { text += part; }).on('end', () => {
      if (this.isDown) return response.writeHead(502).end('<html>\nBad Gateway\n</html>');
      const allowed = request.headers.authorization === 'Bearer secret';
      return response.writeHead(allowed ? 200 : 401).end(allowed ? JSON.stringify(this.answer(JSON.parse(text) as Question)) : '{"message":"Bad credentials"}');
    });
  });

  public async start(): Promise<void> {
    await new Promise<void>((resolve) => { this.server.listen(0, '127.0.0.1', resolve); });
  }

  public get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/graphql`;
  }

  public async stop(): Promise<void> {
    await new Promise((resolve) => { this.server.close(resolve); });
  }

  private answer({ query, variables: { id, body, after } }: Question): object {
    if (query.startsWith('query')) {
      const start = Number(after ?? 0);
      const page = { nodes: this.comments.slice(start, start + 100), pageInfo: { hasNextPage: this.comments.length > start + 100, endCursor: `${start + 100}` } };
      return { data: { repository: { pullRequest: { id: 'PR', comments: page } } } };
    }
    if (!this.mayWrite) return { data: null, errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible by integration' }] };
    if (query.includes('updateIssueComment')) this.comments.find((comment) => comment.id === id)!.body = body;
    else this.comments.push({ id: `C${this.comments.length}`, viewerDidAuthor: true, body });
    return { data: {} };
  }
}
