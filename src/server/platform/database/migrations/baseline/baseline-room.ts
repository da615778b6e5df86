/**
 * The part of the first schema that belongs to one room, as SQL statements. All tables are created before the
 * functions, and the functions before the indexes, so that a room can refer to the tables of any other.
 */
export interface BaselineRoom {
  readonly tables?: readonly string[]
  readonly functions?: readonly string[]
  /** In this order: between two indexes of equal cost the planner takes the newest. */
  readonly indexes?: readonly string[]
  readonly foreignKeys?: readonly string[]
  readonly triggers?: readonly string[]
}
