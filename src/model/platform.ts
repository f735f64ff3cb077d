/** What a bundle can be made for: GPU hosts run Linux, with the GNU C library. */
export const PLATFORMS = ['linux-x64', 'linux-arm64'] as const;
export type Platform = (typeof PLATFORMS)[number];
