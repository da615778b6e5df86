/** Runs a change. If the change fails, the reason is shown at the top of the page. */
export type Act = (change: () => Promise<unknown>) => Promise<void>
