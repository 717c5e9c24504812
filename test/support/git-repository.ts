import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

/** A repository of Git in a folder of its own. */
export class GitRepository {
  /** @param folder where it is; a new temporary folder by default */
  public constructor(public readonly folder: string = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'git-'))) {
    this.git('init', '--quiet', '--initial-branch=main');
  }

  /** Runs git, with a user of its own and without the settings of this machine. */
  public git(...args: string[]): string {
    return execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false', '-c', 'protocol.file.allow=always', ...args], {
      cwd: this.folder, encoding: 'utf8', env: { ...process.env, GIT_CONFIG_GLOBAL: os.devNull, GIT_CONFIG_NOSYSTEM: '1' }, stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Writes files, and commits everything. */
  public commit(files: { readonly [file: string]: string } = {}): string {
    for (const [file, content] of Object.entries(files)) this.write(file, content);
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '--message=A commit');
    return this.git('rev-parse', 'HEAD').trim();
  }

  /** Writes a file. */
  public write(file: string, content: string): void {
    fs.mkdirSync(path.dirname(this.at(file)), { recursive: true });
    fs.writeFileSync(this.at(file), content);
  }

  /** The absolute path of a file. */
  public at(file: string): string {
    return path.join(this.folder, file);
  }

  public remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
