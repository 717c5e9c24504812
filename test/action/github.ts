import { createServer } from 'node:http';
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

/** As much of GitHub as an action of a release and the comments of one pull request need: tags, files of releases, and the GraphQL API. */
export class GitHub {
  public readonly comments: Comment[] = [];

  /** Files, by path. */
  public readonly releases = new Map<string, Buffer>();

  /** Commits of tags. */
  public readonly tags = new Map<string, string>();

  /** True if the token may write. */
  public mayWrite = true;

  /** True during an outage of GitHub. */
  public isDown = false;

  private readonly http = createServer((request, response) => {
    if (request.method === 'GET') {
      // Requests of Git to a server that has files only.
      const file = request.url!.includes('/info/refs') ? [...this.tags].map(([tag, commit]) => `${commit}\trefs/tags/${tag}\n`).join('') : this.releases.get(request.url!);
      return response.writeHead(file === undefined ? 404 : 200).end(file);
    }
    let text = '';
    return request.setEncoding('utf8').on('data', (part: string) => { text += part; }).on('end', () => {
      if (this.isDown) return response.writeHead(502).end('<html>\nBad Gateway\n</html>');
      const allowed = request.headers.authorization === 'Bearer secret';
      return response.writeHead(allowed ? 200 : 401).end(allowed ? JSON.stringify(this.answer(JSON.parse(text) as Question)) : '{"message":"Bad credentials"}');
    });
  });

  public async start(): Promise<void> {
    await new Promise<void>((resolve) => { this.http.listen(0, '127.0.0.1', resolve); });
  }

  public get server(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  public get address(): string {
    return `${this.server}/graphql`;
  }

  public async stop(): Promise<void> {
    await new Promise((resolve) => { this.http.close(resolve); });
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
