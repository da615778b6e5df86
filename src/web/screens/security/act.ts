/** Does a change; whatever goes wrong is said above. */
export type Act = (change: () => Promise<unknown>) => Promise<void>
