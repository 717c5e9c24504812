import { TypeGenerator } from 'json2jsii';

/** A type generator that refuses to give one name to two types; json2jsii itself keeps one of them and says nothing. */
export class UniqueTypeGenerator extends TypeGenerator {
  private readonly taken = new Set<string>();

  /**
   * Types come without conversion functions: objects are converted when they are written.
   *
   * @param shared names that schemas may refer to, and that are written elsewhere
   */
  public constructor(shared: readonly string[]) {
    super({ toJson: false });
    for (const name of shared) { this.emitCustomType(name, () => {}); }
    this.render();
  }

  /** Registers a type under a name that is not taken. */
  public override emitCustomType(...[name, emitter]: Parameters<TypeGenerator['emitCustomType']>): void {
    this.reserve(name);
    super.emitCustomType(name, emitter);
  }

  /** Takes a name for a type that is written elsewhere. */
  public reserve(name: string): void {
    if (this.taken.has(name)) {
      throw new Error(`two types of one API group would be called ${name}; rename one of them in the importer`);
    }
    this.taken.add(name);
  }
}
