/** The address of the page without data. The worker of the app stores it for a start without a network. */
export const SHELL_PATH = '/app-shell'
