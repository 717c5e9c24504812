import { treeOf } from './rounds';
import { writeTree } from '../../../../../src/constructs/app/synth/tree/write-tree';
import { endlessRounds } from '../../../../support/endless-rounds';

endlessRounds((folder, round) => {
  writeTree(folder, treeOf(round));
});
