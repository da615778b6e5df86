/** Runs a change. Its failure is shown above. */
export type Act = (change: () => Promise<unknown>) => Promise<void>
