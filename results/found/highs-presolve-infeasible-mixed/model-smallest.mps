NAME
ROWS
 N  NoObj
 E  r0
 E  r1
 E  r2
 E  r3
COLUMNS
    MARK0000  'MARKER'                 'INTORG'
    c0        r0        1
    c0        r1        1
    c1        r0        1
    c1        r1        2
    c2        r3        1
    c3        r3        2
    c4        r1        1
    c4        r2        1
    MARK0001  'MARKER'                 'INTEND'
    c5        r1        -1
    c5        r3        1
    c6        r2        -1
    c6        r3        -1
RHS
    RHS_V     r0        1
    RHS_V     r2        -3
BOUNDS
 BV BOUND     c0
 BV BOUND     c1
 BV BOUND     c2
 BV BOUND     c3
 FX BOUND     c4        0
 UP BOUND     c5        3
 UP BOUND     c6        3
ENDATA
