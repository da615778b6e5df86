/** The measurements that somebody named by file or by goal, all when nothing is named; and the name that means nothing. */
export function chooseBenches(
  selection: readonly string[],
  known: readonly string[],
): { names: string[]; unknown: string | undefined }
