*SENSE:Minimize
NAME          golomb_ruler
ROWS
 N  OBJ
 E  _C1
 E  _C2
 E  _C3
 E  _C4
 E  _C5
 E  _C6
 L  _C7
 L  _C8
 L  _C9
 L  _C10
COLUMNS
    MARK      'MARKER'                 'INTORG'
    d_0_1_1   _C1        1.000000000000e+00
    d_0_1_1   _C4        1.000000000000e+00
    d_0_1_1   _C7        1.000000000000e+00
    d_0_1_1   _C10       1.000000000000e+00
    MARK      'MARKER'                 'INTEND'
    MARK      'MARKER'                 'INTORG'
    d_0_1_2   _C1        1.000000000000e+00
    d_0_1_2   _C4        2.000000000000e+00
    d_0_1_2   _C8        1.000000000000e+00
    d_0_1_2   _C10       2.000000000000e+00
    MARK      'MARKER'                 'INTEND'
    MARK      'MARKER'                 'INTORG'
    d_0_2_3   _C2        1.000000000000e+00
    d_0_2_3   _C5        3.000000000000e+00
    d_0_2_3   _C9        1.000000000000e+00
    MARK      'MARKER'                 'INTEND'
    MARK      'MARKER'                 'INTORG'
    d_1_2_1   _C3        1.000000000000e+00
    d_1_2_1   _C6        1.000000000000e+00
    d_1_2_1   _C7        1.000000000000e+00
    d_1_2_1   _C10      -1.000000000000e+00
    MARK      'MARKER'                 'INTEND'
    MARK      'MARKER'                 'INTORG'
    d_1_2_2   _C3        1.000000000000e+00
    d_1_2_2   _C6        2.000000000000e+00
    d_1_2_2   _C8        1.000000000000e+00
    d_1_2_2   _C10      -2.000000000000e+00
    MARK      'MARKER'                 'INTEND'
    x_0       _C4        1.000000000000e+00
    x_0       _C5        1.000000000000e+00
    x_1       _C4       -1.000000000000e+00
    x_1       _C6        1.000000000000e+00
    x_2       _C5       -1.000000000000e+00
    x_2       _C6       -1.000000000000e+00
    x_2       OBJ        1.000000000000e+00
RHS
    RHS       _C1        1.000000000000e+00
    RHS       _C2        1.000000000000e+00
    RHS       _C3        1.000000000000e+00
    RHS       _C4        0.000000000000e+00
    RHS       _C5        0.000000000000e+00
    RHS       _C6        0.000000000000e+00
    RHS       _C7        1.000000000000e+00
    RHS       _C8        1.000000000000e+00
    RHS       _C9        1.000000000000e+00
    RHS       _C10      -1.000000000000e+00
BOUNDS
 BV BND       d_0_1_1 
 BV BND       d_0_1_2 
 BV BND       d_0_2_3 
 BV BND       d_1_2_1 
 BV BND       d_1_2_2 
 FX BND       x_0        0.000000000000e+00
 UP BND       x_1        3.000000000000e+00
 UP BND       x_2        3.000000000000e+00
ENDATA
