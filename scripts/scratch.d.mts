export declare function scratchEnvironment(): { TMPDIR?: string }
