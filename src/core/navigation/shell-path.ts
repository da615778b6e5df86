/**
 * The address of the page without data. The service worker of the app stores this page, so that the app can start
 * without a network.
 */
export const SHELL_PATH = '/app-shell'
