import { Arrow, Box, Group, Picture } from '../picture';

/** A rectangle; y grows downwards. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A point. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A box, and where it is. */
export interface PlacedBox extends Rectangle {
  readonly box: Box;
}

/**
 * An arrow, and its way from one box to the other: between each two points it goes in a curve that leaves and comes in straight from the
 * side, and never higher or lower than they are.
 */
export interface PlacedArrow {
  readonly arrow: Arrow;
  readonly points: readonly Point[];
}

/** Boxes and arrows, and how much room they take, from 0 on. */
export interface Placed {
  readonly boxes: readonly PlacedBox[];
  readonly arrows: readonly PlacedArrow[];
  readonly width: number;
  readonly height: number;
}

/** A group, and where it is. */
export interface PlacedGroup extends Rectangle {
  readonly group: Group;
  readonly boxes: readonly PlacedBox[];
  readonly arrows: readonly PlacedArrow[];
}

/** A picture, and where everything is. */
export interface PlacedPicture {
  readonly picture: Picture;
  readonly width: number;
  readonly height: number;
  readonly groups: readonly PlacedGroup[];

  /** Whether there are dashed arrows, which are explained below the groups. */
  readonly hasOrder: boolean;

  /** The arrow from the first group to the second. */
  readonly between?: { readonly from: Point; readonly to: Point };
}
