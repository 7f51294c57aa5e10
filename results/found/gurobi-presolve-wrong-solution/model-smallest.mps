NAME 
ROWS
 N  OBJ
 E  R0      
 E  R1      
 E  R2      
 L  R3      
 L  R4      
 L  R5      
 G  R6      
 G  R7      
 G  GC0     
 G  GC1     
 G  GC2     
 G  GC3     
COLUMNS
    MARKER    'MARKER'                 'INTORG'
    BV5       R0        1
    BV5       R3        1
    BV5       R7        1
    BV5       GC1       2
    BV5       GC2       1
    BV5       GC3       1
    BV8       R2        1
    BV8       R3        -1
    BV8       R4        -1
    BV8       R5        1
    BV10      R0        1
    BV10      R2        1
    BV10      R6        1
    BV13      R1        1
    BV13      R4        1
    BV13      R7        1
    BV15      R1        1
    BV15      R5        1
    BV15      R6        1
    BV15      GC0       1
    MARKER    'MARKER'                 'INTEND'
RHS
    RHS1      R0        1
    RHS1      R1        1
    RHS1      R2        1
    RHS1      R5        1
    RHS1      R6        1
    RHS1      R7        1
    RHS1      GC0       1
    RHS1      GC1       1
    RHS1      GC2       1
    RHS1      GC3       1
BOUNDS
 BV BND1      BV5     
 BV BND1      BV8     
 BV BND1      BV10    
 BV BND1      BV13    
 BV BND1      BV15    
INDICATORS
 IF GC0       BV10      1
 IF GC1       BV10      1
 IF GC2       BV8       1
 IF GC3       BV15      1
ENDATA
